"""Client of an svc-node. `api` and `models` are generated from its specification; `Node` and `Signer` make signed writes."""

from .client import AuthenticatedClient, Client
from .node import Node, Refused, Signer, Unchecked, Unreachable, WrongHome

__all__ = ("AuthenticatedClient", "Client", "Node", "Refused", "Signer", "Unchecked", "Unreachable", "WrongHome")
