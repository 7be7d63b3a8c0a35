"""How attributes of Shardy that are no lists of fields are read and written."""

from __future__ import annotations

from shlo.syntax.dialects import sdy
from shlo.syntax.dialects import sdy_edges as edges
from shlo.syntax.dialects import sdy_rules as rules
from shlo.syntax.dialects.params import CustomForm

FORMS: dict[str, CustomForm] = {
    "shardy_mesh": CustomForm(sdy.parse_mesh, sdy.mesh_text),
    "sharding": CustomForm(sdy.parse_sharding, sdy.sharding_text),
    "sharding_per_value": CustomForm(sdy.parse_shardings, sdy.shardings_text),
    "op_sharding_rule": CustomForm(rules.parse_rule, rules.rule_text),
    "propagation_edges": CustomForm(edges.parse_edges, edges.edges_text),
    "propagation_one_step": CustomForm(edges.parse_step, edges.step_text, bracketed=False),
    "axis_to_propagation_details": CustomForm(
        edges.parse_axis_propagation, edges.axis_propagation_text, bracketed=False
    ),
    "edge_value_ref": CustomForm(edges.parse_value, edges.spaced_value_text, bracketed=False),
    "axis_ref": CustomForm(sdy.parse_axis, sdy.axis_text, bracketed=False),
    "dimension_sharding": CustomForm(sdy.parse_dimension, sdy.dimension_text, bracketed=False),
    "all_to_all_param": CustomForm(
        sdy.parse_all_to_all_parameter, sdy.all_to_all_parameter_text, bracketed=False
    ),
    "manual_axes": CustomForm(sdy.parse_manual_axes, sdy.manual_axes_text, bracketed=False),
    "axis_ref_list": CustomForm(sdy.parse_axis_references, sdy.axis_references_text, bracketed=False),
    "list_of_axis_ref_lists": CustomForm(
        sdy.parse_axis_reference_lists, sdy.axis_reference_lists_text, bracketed=False
    ),
    "all_to_all_param_list": CustomForm(
        sdy.parse_all_to_all_parameters, sdy.all_to_all_parameters_text, bracketed=False
    ),
}
"""The functions of `AttrDef.custom`."""
