sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @manual_computation_splits_and_puts_together() {
  %operand = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %results:2 = sdy.manual_computation(%operand)
      in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {"x", "y"}]>]
      manual_axes={"x", "y"} (%part: tensor<1x2xi32>) {
    %sum = "stablehlo.all_reduce"(%part) ({
  ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
    %sum = stablehlo.add %lhs, %rhs : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) {
      replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids
    } : (tensor<1x2xi32>) -> tensor<1x2xi32>
    sdy.return %sum, %part : tensor<1x2xi32>, tensor<1x2xi32>
  } : (tensor<2x4xi32>) -> (tensor<2x2xi32>, tensor<1x8xi32>)
  check.expect_eq_const %results#0, dense<[[4, 6], [12, 14]]> : tensor<2x2xi32>
  check.expect_eq_const %results#1, dense<[[1, 2, 3, 4, 5, 6, 7, 8]]> : tensor<1x8xi32>
  func.return
}

func.func @manual_computation_of_nothing_runs_its_region() {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x"} () {
    %number = stablehlo.partition_id : tensor<ui32>
    %count = stablehlo.constant dense<4> : tensor<ui32>
    %within = stablehlo.compare LT, %number, %count : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    check.expect_eq_const %within, dense<true> : tensor<i1>
    sdy.return
  } : () -> ()
  func.return
}
