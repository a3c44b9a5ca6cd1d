"""What stands between the network and every server of the project: own origin, bounded bodies, time and connections."""

from photocritic.web.answers import App, Message, Receive, Refusal, Send, header, response
from photocritic.web.bodies import Bodies, Bounded
from photocritic.web.hosts import HOSTS, OwnOrigin
from photocritic.web.protocol import GuardedProtocol, LimitedProtocol
from photocritic.web.server import serve

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
    "header",
    "response",
    "serve",
]
