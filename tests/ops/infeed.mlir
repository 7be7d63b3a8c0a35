func.func private @item_0() -> tensor<2x2xi64> {
  %item = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  func.return %item : tensor<2x2xi64>
}

func.func private @item_1() -> tensor<2x2xi64> {
  %item = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  func.return %item : tensor<2x2xi64>
}

func.func private @reads_two(%token: !stablehlo.token) -> (tensor<2x2xi64>, tensor<2x2xi64>) {
  %0:2 = "stablehlo.infeed"(%token) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
  %1:2 = "stablehlo.infeed"(%0#1) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
  func.return %0#0, %1#0 : tensor<2x2xi64>, tensor<2x2xi64>
}

func.func @infeed_spec_example() {
  %token = stablehlo.after_all : !stablehlo.token
  %results:2 = "interpreter.run_parallel"(%token) {infeed = [@item_0, @item_1], programs = [[@reads_two]]}
    : (!stablehlo.token) -> (tensor<2x2xi64>, tensor<2x2xi64>)
  check.expect_eq_const %results#0, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  check.expect_eq_const %results#1, dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  func.return
}
