func.func @case_spec_example() {
  %index = stablehlo.constant dense<-1> : tensor<i32>
  %result_branch0 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %result_branch1 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %result0, %result1 = "stablehlo.case"(%index) ({
    stablehlo.return %result_branch0, %result_branch0 : tensor<2xi64>, tensor<2xi64>
  }, {
    stablehlo.return %result_branch1, %result_branch1 : tensor<2xi64>, tensor<2xi64>
  }) : (tensor<i32>) -> (tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %result0, dense<[1, 1]> : tensor<2xi64>
  check.expect_eq_const %result1, dense<[1, 1]> : tensor<2xi64>
  func.return
}

func.func @case_first_branch() {
  %index = stablehlo.constant dense<0> : tensor<i32>
  %result_branch0 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %result_branch1 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %result0, %result1 = "stablehlo.case"(%index) ({
    stablehlo.return %result_branch0, %result_branch0 : tensor<2xi64>, tensor<2xi64>
  }, {
    stablehlo.return %result_branch1, %result_branch1 : tensor<2xi64>, tensor<2xi64>
  }) : (tensor<i32>) -> (tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %result0, dense<[0, 0]> : tensor<2xi64>
  check.expect_eq_const %result1, dense<[0, 0]> : tensor<2xi64>
  func.return
}

func.func @case_past_the_last_branch() {
  %index = stablehlo.constant dense<2> : tensor<i32>
  %result_branch0 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %result_branch1 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %result0, %result1 = "stablehlo.case"(%index) ({
    stablehlo.return %result_branch0, %result_branch0 : tensor<2xi64>, tensor<2xi64>
  }, {
    stablehlo.return %result_branch1, %result_branch1 : tensor<2xi64>, tensor<2xi64>
  }) : (tensor<i32>) -> (tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %result0, dense<[1, 1]> : tensor<2xi64>
  check.expect_eq_const %result1, dense<[1, 1]> : tensor<2xi64>
  func.return
}

func.func @case_quantized() {
  %index = stablehlo.constant dense<1> : tensor<i32>
  %x_stored = stablehlo.constant dense<[1, 3]> : tensor<2xi8>
  %x = stablehlo.bitcast_convert %x_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.case"(%index) ({
    stablehlo.return %x : tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  }, {
    %y = stablehlo.negate %x : tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    stablehlo.return %y : tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  }) : (tensor<i32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[1, -1]> : tensor<2xi8>
  func.return
}
