"""What stands between the network and every server of the project: own origin, bounded bodies, time and connections."""

from photocritic.web.answers import App, Message, Receive, Refusal, Send, answer, header, refuse
from photocritic.web.bodies import Bodies, Bounded, replay
from photocritic.web.hosts import HOSTS, OwnOrigin
from photocritic.web.protocol import GuardedProtocol, LimitedProtocol

__all__ = [
    "HOSTS",
    "App",
    "Bodies",
    "Bounded",
    "GuardedProtocol",
    "LimitedProtocol",
    "Message",
    "OwnOrigin",
    "Receive",
    "Refusal",
    "Send",
    "answer",
    "header",
    "refuse",
    "replay",
]
