func.func private @hands_on(%operand: tensor<2x2xi64>) -> tensor<2x2xi64> {
  %result = "stablehlo.collective_permute"(%operand) {
    source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
  } : (tensor<2x2xi64>) -> tensor<2x2xi64>
  func.return %result : tensor<2x2xi64>
}

func.func @collective_permute_spec_example() {
  %0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %2 = stablehlo.constant dense<[[9, 10], [11, 12]]> : tensor<2x2xi64>
  %results:3 = "interpreter.run_parallel"(%0, %1, %2) {programs = [[@hands_on], [@hands_on], [@hands_on]]}
    : (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>)
  check.expect_eq_const %results#0, dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  check.expect_eq_const %results#1, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  check.expect_eq_const %results#2, dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  func.return
}

func.func private @quantized_to_partition_1(%stored: tensor<2xi8>) -> tensor<2xi8> {
  %operand = stablehlo.bitcast_convert %stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-3>>
  %result = "stablehlo.collective_permute"(%operand) {
    source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
  } : (tensor<2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-3>>
  %actual = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2xi8>
  func.return %actual : tensor<2xi8>
}

func.func @collective_permute_quantized_zero_is_the_zero_point() {
  %0 = stablehlo.constant dense<[7, 9]> : tensor<2xi8>
  %results:2 = "interpreter.run_parallel"(%0, %0) {
    programs = [[@quantized_to_partition_1, @quantized_to_partition_1]]
  } : (tensor<2xi8>, tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>)
  check.expect_eq_const %results#0, dense<[-3, -3]> : tensor<2xi8>
  check.expect_eq_const %results#1, dense<[7, 9]> : tensor<2xi8>
  func.return
}
