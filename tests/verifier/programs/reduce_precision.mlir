"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>):
    // expect: reduce_precision-C1
    %0 = "stablehlo.reduce_precision"(%arg0) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<f64>) -> tensor<?xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1xf64>):
    // expect: reduce_precision-C2
    %0 = "stablehlo.reduce_precision"(%arg0) <{exponent_bits = 0 : i32, mantissa_bits = 1 : i32}> : (tensor<1xf64>) -> tensor<1xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf32>):
    // expect: reduce_precision-C3
    %0 = "stablehlo.reduce_precision"(%arg0) <{exponent_bits = 8 : i32, mantissa_bits = -1 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<0xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<0xi1>):
    // expect: reduce_precision-I1
    %0 = "stablehlo.reduce_precision"(%arg0) <{exponent_bits = 8 : i32, mantissa_bits = 2 : i32}> : (tensor<0xi1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi4>):
    // expect: reduce_precision-I2
    %0 = "stablehlo.reduce_precision"(%arg0) <{mantissa_bits = 7 : i32}> : (tensor<2xi4>) -> tensor<2xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6xf64>):
    // expect: reduce_precision-I3
    %0 = "stablehlo.reduce_precision"(%arg0) <{exponent_bits = 5 : i32}> : (tensor<6xf64>) -> tensor<6xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
