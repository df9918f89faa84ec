import { withAdministration } from './with-administration.ts'

/** `tutti key rotate`: has access tokens signed with a new key. */
export async function rotateKey({
  distrustOld = false,
}: {
  readonly distrustOld?: true | false
}): Promise<void> {
  await withAdministration(async (administration) => {
    const { kid, signsFrom } = await administration.rotateSigningKey({ distrustOld })
    console.error(`The new signing key is ${kid}.`)
    const lines = distrustOld
      ? [
          'It signs from now on. Every access token issued before is refused.',
          'Refresh tokens, sessions and API keys still work: clients refresh and go on.',
        ]
      : [
          `It is published now and signs from ${signsFrom.toISOString().slice(11, 16)} UTC on.`,
          'Access tokens signed before then stay valid until they expire.',
        ]
    for (const line of lines) console.error(line)
  })
}
