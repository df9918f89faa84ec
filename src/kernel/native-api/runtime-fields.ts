/** Fields about memory and hardware, without effect at servers that load models by their own configuration; they are ignored there. */
const runtimeHints: ReadonlySet<string> = new Set([
  'keep_alive',
  'options.f16_kv',
  'options.logits_all',
  'options.low_vram',
  'options.main_gpu',
  'options.num_batch',
  'options.num_ctx',
  'options.num_gpu',
  'options.num_keep',
  'options.num_thread',
  'options.numa',
  'options.use_mlock',
  'options.use_mmap',
  'options.vocab_only',
])

const maxFields = 5
const maxFieldLength = 64

/** The names of fields without a counterpart in other protocols, as the caller wrote them; options are named one by one. */
export function runtimeFieldsOf(runtime: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const names = Object.entries(runtime).flatMap(([name, value]) =>
    name === 'options' && typeof value === 'object' && value !== null
      ? Object.keys(value).map((option) => `options.${option}`)
      : [name],
  )
  return names
    .filter((name) => !runtimeHints.has(name))
    .slice(0, maxFields)
    .map((name) => name.slice(0, maxFieldLength))
}
