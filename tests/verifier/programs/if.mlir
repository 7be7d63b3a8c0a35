"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    // expect: if-C2
    %0 = "stablehlo.if"(%arg0) ({
      "stablehlo.return"(%arg1) : (tensor<i32>) -> ()
    }, {
      "stablehlo.return"() : () -> ()
    }) : (tensor<i1>) -> tensor<i4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    // expect: if-C3
    %0 = "stablehlo.if"(%arg0) ({
      "stablehlo.return"(%arg1) : (tensor<i32>) -> ()
    }, {
      "stablehlo.return"(%arg2) : (tensor<i32>) -> ()
    }) : (tensor<i1>) -> tensor<ui8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi1>, tensor<i32>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi1>, %arg1: tensor<i32>, %arg2: tensor<i1>):
    // expect: if-I1
    %0 = "stablehlo.if"(%arg0) ({
      "stablehlo.return"(%arg1) : (tensor<i32>) -> ()
    }, {
      "stablehlo.return"(%arg2) : (tensor<i1>) -> ()
    }) : (tensor<2xi1>) -> tensor<i32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    // expect: if-I2
    %0 = "stablehlo.if"() ({
    }, {
      "stablehlo.return"(%arg2) : (tensor<i32>) -> ()
    }) : () -> tensor<i32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    // expect: if-I3
    %0 = "stablehlo.if"(%arg0) ({
      "stablehlo.return"(%arg2) : (tensor<i32>) -> ()
    }) : (tensor<i1>) -> tensor<i32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%p: tensor<i1>, %y: tensor<4xf32>) {
  // expect: if-C1
  %0 = "stablehlo.if"(%p) ({
  ^bb0(%x: tensor<4xf32>):
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %y : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}
