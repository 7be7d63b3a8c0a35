"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi64>):
    // expect: get_dimension_size-C1
    %0 = "stablehlo.get_dimension_size"(%arg0) <{dimension = 1 : i64}> : (tensor<2xi64>) -> tensor<i32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xi4>):
    // expect: get_dimension_size-I2
    %0 = "stablehlo.get_dimension_size"(%arg0) : (tensor<2x3xi4>) -> tensor<i32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%x: tensor<2xi7>) {
  // expect: get_dimension_size-I1
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<2xi7>) -> tensor<i32>
  return
}
