func.func private @adds_one(%x: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.add %x, %one : tensor<i32>
  func.return %y : tensor<i32>
}

func.func private @takes_two_and_gives_none(%x: tensor<i32>, %y: tensor<2xi32>) {
  func.return
}

func.func @run_parallel_of_different_programs() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %results:2 = "interpreter.run_parallel"(%x, %x, %y, %x) {
    programs = [[@adds_one], [@takes_two_and_gives_none], [@adds_one]]
  } : (tensor<i32>, tensor<i32>, tensor<2xi32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<2> : tensor<i32>
  check.expect_eq_const %results#1, dense<2> : tensor<i32>
  func.return
}
