func.func private @exchanges(%operand: tensor<2x4xi64>) -> tensor<4x2xi64> {
  %result = "stablehlo.all_to_all"(%operand) {
    split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<2x4xi64>) -> tensor<4x2xi64>
  func.return %result : tensor<4x2xi64>
}

func.func @all_to_all_spec_example() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
  %1 = stablehlo.constant dense<[[9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<2x4xi64>
  %results:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@exchanges], [@exchanges]]}
    : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>)
  check.expect_eq_const %results#0, dense<[[1, 2], [5, 6], [9, 10], [13, 14]]> : tensor<4x2xi64>
  check.expect_eq_const %results#1, dense<[[3, 4], [7, 8], [11, 12], [15, 16]]> : tensor<4x2xi64>
  func.return
}

func.func private @exchanges_quantized(%stored: tensor<2xi8>) -> tensor<2xi8> {
  %operand = stablehlo.bitcast_convert %stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %result = "stablehlo.all_to_all"(%operand) {
    split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
    replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
  } : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %actual = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xi8>
  func.return %actual : tensor<2xi8>
}

func.func @all_to_all_quantized_of_partitions_in_the_order_of_the_group() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %1 = stablehlo.constant dense<[3, 4]> : tensor<2xi8>
  %results:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@exchanges_quantized, @exchanges_quantized]]}
    : (tensor<2xi8>, tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>)
  check.expect_eq_const %results#0, dense<[4, 2]> : tensor<2xi8>
  check.expect_eq_const %results#1, dense<[3, 1]> : tensor<2xi8>
  func.return
}
