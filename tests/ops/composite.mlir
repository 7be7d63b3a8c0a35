func.func private @my_op(%input0: tensor<f32>, %input1: tensor<f32>) -> tensor<f32> {
  %result = stablehlo.subtract %input0, %input1 : tensor<f32>
  func.return %result : tensor<f32>
}

func.func @composite_spec_example() {
  %input0 = stablehlo.constant dense<3.0> : tensor<f32>
  %input1 = stablehlo.constant dense<5.0> : tensor<f32>
  %results = stablehlo.composite "my_namespace.my_op" %input0, %input1 {composite_attributes = {my_attribute = "my_value"}, decomposition = @my_op, version = 1 : i32} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %results, dense<-2.0> : tensor<f32>
  func.return
}
