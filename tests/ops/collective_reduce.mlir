func.func private @sums_at_replica_0(%operand: tensor<1x2xi64>) -> tensor<1x2xi64> {
  %result = "stablehlo.collective_reduce"(%operand) ({
  ^bb0(%lhs: tensor<i64>, %rhs: tensor<i64>):
    %sum = stablehlo.add %lhs, %rhs : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) {
    replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
  } : (tensor<1x2xi64>) -> tensor<1x2xi64>
  func.return %result : tensor<1x2xi64>
}

// The specification's text leaves the region out, which adds.
func.func @collective_reduce_spec_example() {
  %0 = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %1 = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
  %2 = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
  %3 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %results:4 = "interpreter.run_parallel"(%0, %1, %2, %3) {
    programs = [[@sums_at_replica_0], [@sums_at_replica_0], [@sums_at_replica_0], [@sums_at_replica_0]]
  } : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
    -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
  check.expect_eq_const %results#0, dense<[[16, 20]]> : tensor<1x2xi64>
  check.expect_eq_const %results#1, dense<[[0, 0]]> : tensor<1x2xi64>
  check.expect_eq_const %results#2, dense<[[0, 0]]> : tensor<1x2xi64>
  check.expect_eq_const %results#3, dense<[[0, 0]]> : tensor<1x2xi64>
  func.return
}

func.func private @sums_at_the_root(%operand: tensor<1x2xi64>, %root: tensor<1xi32>) -> tensor<1x2xi64> {
  %result = "stablehlo.collective_reduce"(%operand, %root) ({
  ^bb0(%lhs: tensor<i64>, %rhs: tensor<i64>):
    %sum = stablehlo.add %lhs, %rhs : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) {
    has_dynamic_root,
    replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
  } : (tensor<1x2xi64>, tensor<1xi32>) -> tensor<1x2xi64>
  func.return %result : tensor<1x2xi64>
}

func.func @collective_reduce_spec_example_dynamic_root() {
  %0 = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %1 = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
  %2 = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
  %3 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %root = stablehlo.constant dense<3> : tensor<1xi32>
  %results:4 = "interpreter.run_parallel"(%0, %root, %1, %root, %2, %root, %3, %root) {
    programs = [[@sums_at_the_root], [@sums_at_the_root], [@sums_at_the_root], [@sums_at_the_root]]
  } : (tensor<1x2xi64>, tensor<1xi32>, tensor<1x2xi64>, tensor<1xi32>, tensor<1x2xi64>, tensor<1xi32>, tensor<1x2xi64>, tensor<1xi32>)
    -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
  check.expect_eq_const %results#0, dense<[[0, 0]]> : tensor<1x2xi64>
  check.expect_eq_const %results#1, dense<[[0, 0]]> : tensor<1x2xi64>
  check.expect_eq_const %results#2, dense<[[0, 0]]> : tensor<1x2xi64>
  check.expect_eq_const %results#3, dense<[[16, 20]]> : tensor<1x2xi64>
  func.return
}

func.func private @sums_at_the_first(%operand: tensor<4xi64>) -> tensor<4xi64> {
  %result = "stablehlo.collective_reduce"(%operand) ({
  ^bb0(%lhs: tensor<i64>, %rhs: tensor<i64>):
    %sum = stablehlo.add %lhs, %rhs : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) {
    replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
  } : (tensor<4xi64>) -> tensor<4xi64>
  func.return %result : tensor<4xi64>
}

func.func @collective_reduce_gives_others_zeros() {
  %0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %1 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
  %results:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@sums_at_the_first], [@sums_at_the_first]]}
    : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>)
  check.expect_eq_const %results#0, dense<[0, 0, 0, 0]> : tensor<4xi64>
  check.expect_eq_const %results#1, dense<[6, 8, 10, 12]> : tensor<4xi64>
  func.return
}

func.func @collective_reduce_quantized_of_one_process() {
  %stored = stablehlo.constant dense<[4, 6]> : tensor<2xi8>
  %operand = stablehlo.bitcast_convert %stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %result = "stablehlo.collective_reduce"(%operand) ({
  ^bb0(%lhs: tensor<!quant.uniform<i8:f32, 0.5>>, %rhs: tensor<!quant.uniform<i8:f32, 0.5>>):
    %sum = stablehlo.add %lhs, %rhs : tensor<!quant.uniform<i8:f32, 0.5>>
    stablehlo.return %sum : tensor<!quant.uniform<i8:f32, 0.5>>
  }) {
    replica_groups = dense<[[0]]> : tensor<1x1xi64>
  } : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %actual = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xi8>
  check.expect_eq_const %actual, dense<[4, 6]> : tensor<2xi8>
  func.return
}
