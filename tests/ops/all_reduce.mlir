func.func private @sums(%operand: tensor<4xi64>) -> tensor<4xi64> {
  %result = "stablehlo.all_reduce"(%operand) ({
  ^bb0(%lhs: tensor<i64>, %rhs: tensor<i64>):
    %sum = stablehlo.add %lhs, %rhs : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) {
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
  } : (tensor<4xi64>) -> tensor<4xi64>
  func.return %result : tensor<4xi64>
}

func.func @all_reduce_spec_example() {
  %0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %1 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
  %results:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@sums], [@sums]]}
    : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>)
  check.expect_eq_const %results#0, dense<[6, 8, 10, 12]> : tensor<4xi64>
  check.expect_eq_const %results#1, dense<[6, 8, 10, 12]> : tensor<4xi64>
  func.return
}

func.func private @sums_in_pairs(%operand: tensor<i32>) -> tensor<i32> {
  %result = "stablehlo.all_reduce"(%operand) ({
  ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
    %sum = stablehlo.add %lhs, %rhs : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) {
    replica_groups = #stablehlo.replica_group_mesh_axes<
      mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 2>]>,
      axes = [#stablehlo.axis_ref<name = "x">]>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids
  } : (tensor<i32>) -> tensor<i32>
  func.return %result : tensor<i32>
}

func.func @all_reduce_along_an_axis_of_a_mesh() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.constant dense<20> : tensor<i32>
  %2 = stablehlo.constant dense<300> : tensor<i32>
  %3 = stablehlo.constant dense<4000> : tensor<i32>
  %results:4 = "interpreter.run_parallel"(%0, %1, %2, %3) {
    programs = [[@sums_in_pairs, @sums_in_pairs], [@sums_in_pairs, @sums_in_pairs]]
  } : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<301> : tensor<i32>
  check.expect_eq_const %results#1, dense<4020> : tensor<i32>
  check.expect_eq_const %results#2, dense<301> : tensor<i32>
  check.expect_eq_const %results#3, dense<4020> : tensor<i32>
  func.return
}

func.func private @sums_beside_the_program(%operand: tensor<2xi32>) -> tensor<2xi32> {
  %future = "stablehlo.async_start"(%operand) ({
  ^bb0(%inner: tensor<2xi32>):
    %reduced = "stablehlo.all_reduce"(%inner) ({
  ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
    %sum = stablehlo.add %lhs, %rhs : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) {
      replica_groups = dense<[[0, 1, 2], [3, -1, -1]]> : tensor<2x3xi64>
    } : (tensor<2xi32>) -> tensor<2xi32>
    stablehlo.return %reduced : tensor<2xi32>
  }) : (tensor<2xi32>) -> !stablehlo.future<tensor<2xi32>>
  %doubled = stablehlo.add %operand, %operand : tensor<2xi32>
  %result = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
  %both = stablehlo.add %doubled, %result : tensor<2xi32>
  func.return %both : tensor<2xi32>
}

func.func @all_reduce_asynchronous_in_groups_of_unequal_sizes() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %results:4 = "interpreter.run_parallel"(%0, %1, %1, %0) {
    programs = [[@sums_beside_the_program], [@sums_beside_the_program],
                [@sums_beside_the_program], [@sums_beside_the_program]]
  } : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %results#0, dense<[23, 46]> : tensor<2xi32>
  check.expect_eq_const %results#2, dense<[41, 82]> : tensor<2xi32>
  check.expect_eq_const %results#3, dense<[3, 6]> : tensor<2xi32>
  func.return
}

func.func private @sums_quantized(%stored: tensor<2xi8>) -> tensor<2xi8> {
  %operand = stablehlo.bitcast_convert %stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:2>>
  %result = "stablehlo.all_reduce"(%operand) ({
  ^bb0(%lhs: tensor<!quant.uniform<i8:f32, 0.5:2>>, %rhs: tensor<!quant.uniform<i8:f32, 0.5:2>>):
    %sum = stablehlo.add %lhs, %rhs : tensor<!quant.uniform<i8:f32, 0.5:2>>
    stablehlo.return %sum : tensor<!quant.uniform<i8:f32, 0.5:2>>
  }) {
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<2x!quant.uniform<i8:f32, 0.5:2>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:2>>
  %actual = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:2>>) -> tensor<2xi8>
  func.return %actual : tensor<2xi8>
}

func.func @all_reduce_quantized() {
  %0 = stablehlo.constant dense<[4, 100]> : tensor<2xi8>
  %1 = stablehlo.constant dense<[6, 100]> : tensor<2xi8>
  %results:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@sums_quantized], [@sums_quantized]]}
    : (tensor<2xi8>, tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>)
  check.expect_eq_const %results#0, dense<[8, 127]> : tensor<2xi8>
  func.return
}
