import { kernelFailure } from '#kernel/errors'
import type { KeyLimits, Principal } from '#kernel/http'
import { allowedEntries } from '../gateway/candidates.ts'
import type { ProvidedModel, ProviderName } from '../providers/provider.ts'

/** Where the routes of other APIs find the models that they list: equal ids in the order of their providers. */
export interface ModelDirectory {
  find(): Promise<readonly DirectoryEntry[]>
}

interface DirectoryEntry {
  readonly provider: ProviderName
  readonly model: ProvidedModel
}

/** A model by the name that calls use. */
export interface NamedModel extends DirectoryEntry {
  readonly name: string
}

/** The available models that the API key allows, each once, by name. A model id of several providers is named `provider/id` for all but the first. */
export async function listNamedModels(
  directory: ModelDirectory,
  limits: KeyLimits | undefined,
): Promise<readonly NamedModel[]> {
  const models = new Map<string, NamedModel>()
  const entries = allowedEntries(await directory.find(), limits).filter(({ model }) => model.available)
  for (const { provider, model } of entries) {
    const name = models.has(model.id) ? `${provider}/${model.id}` : model.id
    models.set(name, { name, provider, model })
  }
  return [...models.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Clients list models before they call one, so either scope is enough. */
const scopes = ['models.read', 'models.generate']
export const listAccess = { signedIn: true, anyScope: true } as const

/** Throws `insufficient_scope` for a credential that may neither read nor call models. */
export function requireListScope({ scopes: granted }: Principal): void {
  if (granted === 'all' || scopes.some((scope) => granted.has(scope))) return
  throw kernelFailure('insufficient_scope', {
    message: `This credential lacks the scope ${scopes.map((scope) => `"${scope}"`).join(' or ')}.`,
    details: { scope: scopes },
    headers: { 'www-authenticate': `Bearer realm="tutti", error="insufficient_scope", scope="${scopes[0]}"` },
  })
}
