"""The association graph is exported so that networkx reads all of it."""

import networkx

from tests.filtering.association.graph_rows import FLY, caption


def test_the_graph_is_exported_as_graphml(corpus, tmp_path):
    _, forms, edges = corpus
    graph = networkx.read_graphml(tmp_path / "out" / "graph.graphml")
    assert networkx.is_bipartite(graph)
    captions = [data for _, data in graph.nodes(data=True) if data["bipartite"] == 0]
    counted = ("form", "caption", "comments", "images", "authors")
    assert captions == [{"bipartite": 0} | {key: form[key] for key in counted} for form in forms]
    images = [data for _, data in graph.nodes(data=True) if data["bipartite"] == 1]
    splits = {data["image_id"]: data["split"] for data in images}
    assert splits == {name: "test" if name == "c" else "train" for name in "abcdef"}
    found = {
        (graph.nodes[one]["form"], graph.nodes[other]["image_id"], data["comment_id"], data["type"])
        for one, other, data in graph.edges(data=True)
    }
    assert found == {(edge["form"], edge["image_id"], edge["comment_id"], edge["type"]) for edge in edges}


def test_graphml_holds_whatever_people_write(associated, tmp_path):
    nasty = "<data key=\"form\">]]> & 'x'\r\n\tünï 日本 😀 \x00\x0b\ufffe"
    associated([caption(n, f"{nasty} form", nasty, "ab"[n], None) for n in range(2)])
    graph = networkx.read_graphml(tmp_path / "out" / "graph.graphml")
    replaced = nasty.replace("\x00", "\ufffd").replace("\x0b", "\ufffd").replace("\ufffe", "\ufffd")
    assert graph.nodes["c0"]["caption"] == replaced
    assert graph.nodes["c0"]["form"] == f"{replaced} form"


def test_two_comments_of_one_form_on_one_image_are_two_edges_in_graphml(associated, tmp_path):
    pictures = "aab"
    associated([caption(n, FLY, "birds fly", picture, None) for n, picture in enumerate(pictures)])
    graph = networkx.read_graphml(tmp_path / "out" / "graph.graphml")
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (3, 3)
