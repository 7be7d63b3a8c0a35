"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    // expect: constant-C1
    %0 = "stablehlo.constant"() <{value = dense<2> : tensor<3xui64>}> : () -> tensor<ui64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main() {
  // expect: constant-I1
  %0 = "stablehlo.constant"() <{value = 1 : i32}> : () -> tensor<i32>
  return
}
