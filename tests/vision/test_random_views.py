"""Views are of the size asked for, normalised, seeded, and close to the image they show."""

import torch

from photocritic.vision.description import plain_view
from photocritic.vision.random_views import cut_mix, random_view, view_size


def pixels(count: int = 6, size: int = 40) -> torch.Tensor:
    return torch.randint(0, 256, (count, size, size, 3), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))


def test_the_plain_view_is_torchvisions_normalisation() -> None:
    from torchvision.transforms import v2

    images = pixels()
    expected = v2.Compose(
        [v2.ToDtype(torch.float32, scale=True), v2.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))]
    )(images.permute(0, 3, 1, 2))
    torch.testing.assert_close(plain_view(images), expected)


def test_random_views_follow_the_seed() -> None:
    views = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        views.append(random_view(pixels(), 32, 0.5))
    assert views[0].shape == (6, 3, 32, 32)
    assert views[0].is_contiguous(memory_format=torch.channels_last)
    assert torch.equal(views[0], views[1])
    assert not torch.equal(views[0], views[2])


def test_images_of_a_batch_get_different_views() -> None:
    same = pixels(1).expand(4, -1, -1, -1)
    views = random_view(same, 32, 0.5)
    assert not torch.equal(views[0], views[1])


def test_an_even_image_stays_even_and_crops_stay_inside() -> None:
    grey = torch.full((8, 40, 40, 3), 128, dtype=torch.uint8)
    views = random_view(grey, 32, 0.3)
    assert views.std(dim=(2, 3)).max() < 1e-4  # nothing from outside the image is mixed in


def test_half_of_the_views_are_mirrored() -> None:
    ramp = torch.arange(40, dtype=torch.uint8).mul(6).reshape(1, 1, 40, 1).expand(200, 40, 40, 3)
    views = random_view(ramp, 16, 1.0)
    falling = (views[:, 0, :, 0] > views[:, 0, :, -1]).float().mean()
    assert 0.35 < falling < 0.65


def test_views_grow_in_stages_to_their_whole_size() -> None:
    sides = [view_size(step / 100, 64, 130) for step in range(100)]
    assert sides == sorted(sides)
    assert sorted(set(sides)) == [64, 88, 112, 130]
    assert sides.count(130) == 25
    assert {view_size(step / 100, 0, 130) for step in range(100)} == {130}


def test_pasted_images_bring_their_share_of_the_target() -> None:
    white, black = torch.ones(1, 3, 40, 40), torch.zeros(1, 3, 40, 40)
    views = torch.cat([white, black]).contiguous(memory_format=torch.channels_last)
    targets = {"topics": torch.eye(2), "words": torch.tensor([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])}
    torch.manual_seed(3)
    mixed, wanted = cut_mix(views, targets, 1.0)
    assert 0.0 < mixed[0].mean() < 1.0
    torch.testing.assert_close(wanted["topics"][:, 0], mixed.mean(dim=(1, 2, 3)))
    torch.testing.assert_close(wanted["words"][:, 0], mixed.mean(dim=(1, 2, 3)))
    assert torch.equal(wanted["topics"].sum(dim=1), torch.ones(2))


def test_without_pasting_nothing_changes() -> None:
    views, targets = torch.rand(3, 3, 8, 8), {"labels": torch.rand(3, 5)}
    same, wanted = cut_mix(views, targets, 0.0)
    assert torch.equal(same, views)
    assert torch.equal(wanted["labels"], targets["labels"])
