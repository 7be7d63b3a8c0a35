"""Diagnostics that a client asks for, of a document or of the files of the workspace's folders.

They are pushed unless a client says that it will ask: with the initialization option `"diagnostics": "pull"`,
or by not knowing pushed ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from shlo_lsp.protocol import Json

if TYPE_CHECKING:
    from shlo_lsp.server import Server

OPTIONS = types.DiagnosticOptions(
    inter_file_dependencies=False, workspace_diagnostics=True, identifier="shlo", work_done_progress=True
)
Report = Json | types.RelatedUnchangedDocumentDiagnosticReport


async def of_document(server: Server, params: types.DocumentDiagnosticParams) -> Report:
    """Returns the findings of a document that is open, or that they are those that the client has."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        raise JsonRpcInvalidParams(f"the document is not open: {params.text_document.uri}")
    edition, diagnostics = await server.newest_findings(document)
    name = f"{server.settings_number}-{hash(edition.text):x}"
    if params.previous_result_id == name:
        return types.RelatedUnchangedDocumentDiagnosticReport(name)
    kind = types.DocumentDiagnosticReportKind.Full.value
    return Json(f'{{"kind": "{kind}", "resultId": "{name}", "items": [{diagnostics}]}}'.encode())
