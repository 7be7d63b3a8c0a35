func.func private @sums_and_splits(%operand: tensor<2x4xi64>) -> tensor<2x2xi64> {
  %result = "stablehlo.reduce_scatter"(%operand) ({
  ^bb0(%lhs: tensor<i64>, %rhs: tensor<i64>):
    %sum = stablehlo.add %lhs, %rhs : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) {
    scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
  } : (tensor<2x4xi64>) -> tensor<2x2xi64>
  func.return %result : tensor<2x2xi64>
}

func.func @reduce_scatter_spec_example() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
  %1 = stablehlo.constant dense<[[9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<2x4xi64>
  %results:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@sums_and_splits], [@sums_and_splits]]}
    : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>)
  check.expect_eq_const %results#0, dense<[[10, 12], [18, 20]]> : tensor<2x2xi64>
  check.expect_eq_const %results#1, dense<[[14, 16], [22, 24]]> : tensor<2x2xi64>
  func.return
}

func.func @reduce_scatter_quantized_of_one_process() {
  %stored = stablehlo.constant dense<[4, 6]> : tensor<2xi8>
  %operand = stablehlo.bitcast_convert %stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %result = "stablehlo.reduce_scatter"(%operand) ({
  ^bb0(%lhs: tensor<!quant.uniform<i8:f32, 0.5>>, %rhs: tensor<!quant.uniform<i8:f32, 0.5>>):
    %sum = stablehlo.add %lhs, %rhs : tensor<!quant.uniform<i8:f32, 0.5>>
    stablehlo.return %sum : tensor<!quant.uniform<i8:f32, 0.5>>
  }) {
    scatter_dimension = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>
  } : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %actual = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xi8>
  check.expect_eq_const %actual, dense<[4, 6]> : tensor<2xi8>
  func.return
}
