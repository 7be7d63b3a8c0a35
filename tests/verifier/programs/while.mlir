"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1xf64>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1xf64>, %arg1: tensor<i1>):
    // expect: while-C1
    %0 = "stablehlo.while"(%arg0) ({
    ^bb0(%arg3: tensor<1xf64>):
      "stablehlo.return"() : () -> ()
    }, {
    ^bb0(%arg2: tensor<1xf64>):
      %1 = "stablehlo.add"(%arg2, %arg2) : (tensor<1xf64>, tensor<1xf64>) -> tensor<2xf64>
      "stablehlo.return"(%1) : (tensor<2xf64>) -> ()
    }) : (tensor<1xf64>) -> tensor<1xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf64>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xf64>, %arg1: tensor<i1>):
    // expect: while-C2
    %0 = "stablehlo.while"(%arg0) ({
    ^bb0(%arg3: tensor<2xf64>):
      "stablehlo.return"(%arg1) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg2: tensor<?xf64>):
      %1 = "stablehlo.add"(%arg2) : (tensor<?xf64>) -> tensor<2xi64>
      "stablehlo.return"(%1) : (tensor<2xi64>) -> ()
    }) : (tensor<2xf64>) -> tensor<2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf64>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xf64>, %arg1: tensor<i1>):
    // expect: while-C3
    %0 = "stablehlo.while"(%arg0) ({
    ^bb0(%arg3: tensor<2xf64>):
      "stablehlo.return"() : () -> ()
    }, {
    ^bb0(%arg2: tensor<2xf64>):
      %1 = "stablehlo.add"(%arg2, %arg2) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
      "stablehlo.return"(%1) : (tensor<2xf64>) -> ()
    }) : (tensor<2xf64>) -> tensor<2xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01}>>, tensor<?xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01}>>, %arg1: tensor<?xi1>):
    // expect: while-I1
    %0 = "stablehlo.while"(%arg0) ({
    ^bb0(%arg3: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01}>>):
      "stablehlo.return"(%arg1) : (tensor<?xi1>) -> ()
    }, {
    ^bb0(%arg2: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01}>>):
      %1 = "stablehlo.add"(%arg2, %arg2) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01}>>, tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01}>>) -> tensor<2xf64>
      "stablehlo.return"(%1) : (tensor<2xf64>) -> ()
    }) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01}>>) -> tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf64>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xf64>, %arg1: tensor<i1>):
    // expect: while-I2
    %0 = "stablehlo.while"(%arg0) ({
    }, {
    ^bb0(%arg2: tensor<2xf64>):
      %1 = "stablehlo.add"(%arg2, %arg2) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
      "stablehlo.return"(%1) : (tensor<2xf64>) -> ()
    }) : (tensor<2xf64>) -> tensor<2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf64>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xf64>, %arg1: tensor<i1>):
    // expect: while-I3
    %0 = "stablehlo.while"(%arg0) ({
    ^bb0(%arg2: tensor<2xf64>):
      "stablehlo.return"(%arg1) : (tensor<i1>) -> ()
    }) : (tensor<2xf64>) -> tensor<2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
