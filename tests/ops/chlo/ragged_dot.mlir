// Row 0 meets the first matrix, rows 1 and 2 the second.
func.func @ragged_dot_rows_in_groups() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %rhs = stablehlo.constant dense<[[[1.0, 0.0], [0.0, 1.0]], [[0.0, 10.0], [10.0, 0.0]]]> : tensor<2x2x2xf32>
  %group_sizes = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %result = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<3x2xf32>, tensor<2x2x2xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  check.expect_eq_const %result, dense<[[1.0, 2.0], [40.0, 30.0], [60.0, 50.0]]> : tensor<3x2xf32>
  func.return
}

func.func @ragged_dot_contracted_in_groups() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %rhs = stablehlo.constant dense<[[10.0], [20.0], [30.0]]> : tensor<3x1xf32>
  %group_sizes = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %result = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<1x3xf32>, tensor<3x1xf32>, tensor<2xi64>) -> tensor<2x1x1xf32>
  check.expect_eq_const %result, dense<[[[50.0]], [[90.0]]]> : tensor<2x1x1xf32>
  func.return
}
