"""The services of The Wicked Labyrinth at a table."""

from __future__ import annotations

from companion.adapters.wicked.table_services import WickedServices
from companion.table import Table


def services_of(table: Table) -> WickedServices:
    services = table.services("wicked")
    assert isinstance(services, WickedServices)
    return services
