/** An error as clients of the runtime read it, with a code besides for those who act on it. */
export function describeRuntimeError({ code, message }: { readonly code: string; readonly message: string }) {
  return { error: message, code }
}
