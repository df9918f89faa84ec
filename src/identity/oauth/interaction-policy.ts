import type { interactionPolicy, KoaContextWithOIDC, errors as ProviderErrors } from 'oidc-provider'

/** What the provider answers when somebody has to sign in before it can go on. The route sends them there. */
export const signInFirst = 'sign_in_first'

/** The one thing tokens are for, as the provider names it. */
export const platformResource = 'urn:tutti:platform'

type Policy = typeof interactionPolicy

/**
 * Before a code is issued:
 *
 * | who asks | what is missing | what happens |
 * |---|---|---|
 * | nobody | a session | to the sign-in page and back with the whole request; `login_required` for `prompt=none` |
 * | somebody | consent for a scope, or the client asks to ask again | the consent page; `consent_required` for `prompt=none` |
 * | somebody | nothing | the code |
 */
export function createInteractionPolicy(
  { Prompt, Check }: Policy,
  errors: typeof ProviderErrors,
): interactionPolicy.Prompt[] {
  const session = new Check('no_session', 'Somebody has to sign in first', 'login_required', ({ oidc }) => {
    if (oidc.session?.accountId !== undefined) return Check.NO_NEED_TO_PROMPT
    if (oidc.prompts.has('none')) return Check.REQUEST_PROMPT
    // Nothing is stored for a stranger: the request comes back whole.
    throw Object.assign(new errors.CustomOIDCProviderError(signInFirst), { allow_redirect: false })
  })
  const scopes = new Check(
    'scopes_missing',
    'The account has not allowed this yet',
    'consent_required',
    (ctx) => (missingScopes(ctx).length > 0 ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT),
  )
  return [
    new Prompt({ name: 'login', requestable: false }, session),
    new Prompt({ name: 'consent', requestable: true }, scopes),
  ]
}

function missingScopes({ oidc }: KoaContextWithOIDC): readonly string[] {
  const granted = oidc.entities.Grant?.getResourceScope(platformResource).split(' ') ?? []
  return [...oidc.requestParamScopes].filter((scope) => !granted.includes(scope))
}
