import { OneTimeSecret } from '../../parts/OneTimeSecret.tsx'

/** A webhook at the only moment its secret can be read. */
export interface NewWebhookSecret {
  readonly url: string
  readonly secret: string
  /** Null when it needs no verification any more. */
  readonly verificationUrl: string | null
}

export default function NewWebhook({ made, onDone }: { made: NewWebhookSecret; onDone: () => void }) {
  const { url, secret, verificationUrl } = made
  return (
    <OneTimeSecret
      title={`Secret for ${hostOf(url)}`}
      warning={
        verificationUrl === null
          ? 'Copy it now: it is shown only once. Receivers verify signatures with it.'
          : 'Copy both now: they are shown only once. Receivers verify signatures with the secret; opening the verification URL confirms the webhook.'
      }
      secrets={[
        { name: 'Secret', value: secret },
        ...(verificationUrl === null ? [] : [{ name: 'Verification URL', value: verificationUrl }]),
      ]}
      doneLabel="I have saved the secret"
      onDone={onDone}
    />
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
