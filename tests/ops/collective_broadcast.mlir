func.func private @from_replica_2(%operand: tensor<1x2xi64>) -> tensor<1x2xi64> {
  %result = "stablehlo.collective_broadcast"(%operand) {
    replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
  } : (tensor<1x2xi64>) -> tensor<1x2xi64>
  func.return %result : tensor<1x2xi64>
}

func.func @collective_broadcast_spec_example() {
  %0 = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %1 = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
  %2 = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
  %3 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %results:4 = "interpreter.run_parallel"(%0, %1, %2, %3) {
    programs = [[@from_replica_2], [@from_replica_2], [@from_replica_2], [@from_replica_2]]
  } : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
    -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
  check.expect_eq_const %results#0, dense<[[0, 0]]> : tensor<1x2xi64>
  check.expect_eq_const %results#1, dense<[[5, 6]]> : tensor<1x2xi64>
  check.expect_eq_const %results#2, dense<[[5, 6]]> : tensor<1x2xi64>
  check.expect_eq_const %results#3, dense<[[0, 0]]> : tensor<1x2xi64>
  func.return
}

func.func private @quantized_from_replica_1(%stored: tensor<2xi8>) -> tensor<2xi8> {
  %operand = stablehlo.bitcast_convert %stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-3>>
  %result = "stablehlo.collective_broadcast"(%operand) {
    replica_groups = dense<[[1]]> : tensor<1x1xi64>
  } : (tensor<2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-3>>
  %actual = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2xi8>
  func.return %actual : tensor<2xi8>
}

func.func @collective_broadcast_quantized_zero_is_the_zero_point() {
  %0 = stablehlo.constant dense<[7, 9]> : tensor<2xi8>
  %results:2 = "interpreter.run_parallel"(%0, %0) {
    programs = [[@quantized_from_replica_1], [@quantized_from_replica_1]]
  } : (tensor<2xi8>, tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>)
  check.expect_eq_const %results#0, dense<[-3, -3]> : tensor<2xi8>
  check.expect_eq_const %results#1, dense<[7, 9]> : tensor<2xi8>
  func.return
}
