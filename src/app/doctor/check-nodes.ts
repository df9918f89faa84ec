import { type ClusterOptions, probeNode } from '#cluster'
import { type Finding, good, note } from './finding.ts'

/** Asks every address where a model node should or may be. A configured one that does not answer is worth a line. */
export async function checkNodes({ addresses }: ClusterOptions): Promise<Finding[]> {
  const findings = await Promise.all(
    addresses.map(async ({ url, source }): Promise<Finding[]> => {
      const { ok, models, error } = await probeNode(url, { timeoutMs: 3000 })
      if (ok) return [good(`Model node ${url} answers with ${models.length} models`)]
      if (source === 'discovery') return []
      return [
        note(
          `Model node ${url} does not answer (${error ?? 'no reason'})`,
          'Start it, or take it out of CLUSTER_NODES.',
        ),
      ]
    }),
  )
  const told = findings.flat()
  if (told.length > 0) return told
  return [
    note(
      'No model node found',
      'Start one on this machine, or list yours in CLUSTER_NODES. The platform runs without.',
    ),
  ]
}
