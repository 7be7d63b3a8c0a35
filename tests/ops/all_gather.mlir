func.func private @joins_columns(%operand: tensor<2x2xi64>) -> tensor<2x4xi64> {
  %result = "stablehlo.all_gather"(%operand) {
    all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
  } : (tensor<2x2xi64>) -> tensor<2x4xi64>
  func.return %result : tensor<2x4xi64>
}

func.func @all_gather_spec_example() {
  %0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %results:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@joins_columns], [@joins_columns]]}
    : (tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>)
  check.expect_eq_const %results#0, dense<[[1, 2, 5, 6], [3, 4, 7, 8]]> : tensor<2x4xi64>
  check.expect_eq_const %results#1, dense<[[1, 2, 5, 6], [3, 4, 7, 8]]> : tensor<2x4xi64>
  func.return
}

func.func private @over_replicas_and_partitions(%operand: tensor<1xi32>) -> tensor<4xi32> {
  %result = "stablehlo.all_gather"(%operand) {
    all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
  } : (tensor<1xi32>) -> tensor<4xi32>
  func.return %result : tensor<4xi32>
}

func.func @all_gather_takes_replicas_of_each_partition_in_turn() {
  %0 = stablehlo.constant dense<10> : tensor<1xi32>
  %1 = stablehlo.constant dense<11> : tensor<1xi32>
  %2 = stablehlo.constant dense<20> : tensor<1xi32>
  %3 = stablehlo.constant dense<21> : tensor<1xi32>
  %results:4 = "interpreter.run_parallel"(%0, %1, %2, %3) {
    programs = [[@over_replicas_and_partitions, @over_replicas_and_partitions],
                [@over_replicas_and_partitions, @over_replicas_and_partitions]]
  } : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
    -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %results#0, dense<[20, 10, 21, 11]> : tensor<4xi32>
  check.expect_eq_const %results#3, dense<[20, 10, 21, 11]> : tensor<4xi32>
  func.return
}

func.func @all_gather_quantized_of_one_process() {
  %stored = stablehlo.constant dense<[[-4], [8]]> : tensor<2x1xi8>
  %operand = stablehlo.bitcast_convert %stored : (tensor<2x1xi8>) -> tensor<2x1x!quant.uniform<i8:f32, 0.5>>
  %result = "stablehlo.all_gather"(%operand) {
    all_gather_dim = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>
  } : (tensor<2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x1x!quant.uniform<i8:f32, 0.5>>
  %actual = stablehlo.bitcast_convert %result : (tensor<2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x1xi8>
  check.expect_eq_const %actual, dense<[[-4], [8]]> : tensor<2x1xi8>
  func.return
}
