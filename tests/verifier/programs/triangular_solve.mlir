"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xf32>, tensor<0x2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xf32>, %arg1: tensor<0x2xf64>):
    // expect: triangular_solve-C1
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<2x2xf32>, tensor<0x2xf64>) -> tensor<2x1xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf32>, tensor<3xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>):
    // expect: triangular_solve-C2
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x3xf32>, tensor<1x3xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x3xf32>, %arg1: tensor<1x3xf32>):
    // expect: triangular_solve-C3
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xf64>, tensor<2x1xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xf64>, %arg1: tensor<2x1xf64>):
    // expect: triangular_solve-C4
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi8>, tensor<2x1xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi8>, %arg1: tensor<2x1xf64>):
    // expect: triangular_solve-I1
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<2x2xi8>, tensor<2x1xf64>) -> tensor<2x1xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xf64>, tensor<2x1xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xf64>, %arg1: tensor<2x1xi8>):
    // expect: triangular_solve-I2
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<2x2xf64>, tensor<2x1xi8>) -> tensor<2x1xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x3xf32>, tensor<3x3xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x3xf32>, %arg1: tensor<3x3xf32>):
    // expect: triangular_solve-I3
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xf64>, tensor<2x1xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xf64>, %arg1: tensor<2x1xf64>):
    // expect: triangular_solve-I4
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x3xf32>, tensor<3x3xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x3xf32>, %arg1: tensor<3x3xf32>):
    // expect: triangular_solve-I5
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf64>, tensor<1x2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xf64>, %arg1: tensor<1x2xf64>):
    // expect: triangular_solve-I6
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = false, lower = false, unit_diagonal = true}> : (tensor<2xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
