func.func private @gathers_in_two_groups(%operand: tensor<8x2xf32>) -> tensor<8x8xf32> {
  %future = "stablehlo.async_start"(%operand) ({
  ^bb0(%inner: tensor<8x2xf32>):
    %gathered = "stablehlo.all_gather"(%inner) {
      all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>
    } : (tensor<8x2xf32>) -> tensor<8x8xf32>
    stablehlo.return %gathered : tensor<8x8xf32>
  }) : (tensor<8x2xf32>) -> !stablehlo.future<tensor<8x8xf32>>
  %result = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<8x8xf32>>) -> tensor<8x8xf32>
  func.return %result : tensor<8x8xf32>
}

// The specification gives no values. Its region has no argument and uses a value from outside, which the MLIR
// tools refuse; here it has one.
func.func @async_start_spec_example() {
  %0 = stablehlo.constant dense<0.0> : tensor<8x2xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<8x2xf32>
  %2 = stablehlo.constant dense<2.0> : tensor<8x2xf32>
  %3 = stablehlo.constant dense<3.0> : tensor<8x2xf32>
  %4 = stablehlo.constant dense<4.0> : tensor<8x2xf32>
  %5 = stablehlo.constant dense<5.0> : tensor<8x2xf32>
  %6 = stablehlo.constant dense<6.0> : tensor<8x2xf32>
  %7 = stablehlo.constant dense<7.0> : tensor<8x2xf32>
  %results:8 = "interpreter.run_parallel"(%0, %1, %2, %3, %4, %5, %6, %7) {
    programs = [[@gathers_in_two_groups], [@gathers_in_two_groups], [@gathers_in_two_groups], [@gathers_in_two_groups],
                [@gathers_in_two_groups], [@gathers_in_two_groups], [@gathers_in_two_groups], [@gathers_in_two_groups]]
  } : (tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
  %even = stablehlo.constant dense<[0.0, 0.0, 2.0, 2.0, 4.0, 4.0, 6.0, 6.0]> : tensor<8xf32>
  %evens = stablehlo.broadcast_in_dim %even, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  check.expect_eq %results#0, %evens : tensor<8x8xf32>
  check.expect_eq %results#6, %evens : tensor<8x8xf32>
  %odd = stablehlo.constant dense<[1.0, 1.0, 3.0, 3.0, 5.0, 5.0, 7.0, 7.0]> : tensor<8xf32>
  %odds = stablehlo.broadcast_in_dim %odd, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  check.expect_eq %results#1, %odds : tensor<8x8xf32>
  check.expect_eq %results#7, %odds : tensor<8x8xf32>
  func.return
}

func.func @async_start_runs_its_region() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %future = "stablehlo.async_start"(%operand) ({
  ^bb0(%arg0: tensor<3xf64>):
    %sliced = stablehlo.slice %arg0 [1:3] : (tensor<3xf64>) -> tensor<2xf64>
    stablehlo.return %sliced : tensor<2xf64>
  }) : (tensor<3xf64>) -> !stablehlo.future<tensor<2xf64>>
  %result = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<2xf64>>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[2.0, 3.0]> : tensor<2xf64>
  func.return
}
