"""What a route may ask for."""

from typing import Annotated, cast

from fastapi import Depends, Request

from api.callers import signed_in
from api.service import Service
from api.settings import ServerSettings
from api.several import Several
from data_agent.domain.caller import Caller


def the_service(request: Request) -> Service | Several:
    """The service of this application."""
    return cast(Service | Several, request.app.state.service)


def the_server_settings(request: Request) -> ServerSettings:
    """The settings of the HTTP door."""
    return cast(ServerSettings, request.app.state.server)


TheService = Annotated[Service | Several, Depends(the_service)]
TheServer = Annotated[ServerSettings, Depends(the_server_settings)]


def the_caller(request: Request, server: TheServer) -> Caller:
    """Who asks, by the key of the request; where no keys are set everybody is the local analyst."""
    return signed_in(request.headers.get("authorization", ""), server.callers)


TheCaller = Annotated[Caller, Depends(the_caller)]
