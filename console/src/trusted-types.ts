import { playerAddress } from './tours/use-tours.ts'

declare global {
  interface Window {
    /** Browsers without trusted types do not have it. */
    readonly trustedTypes?: {
      createPolicy(
        name: string,
        rules: Readonly<Record<'createHTML' | 'createScriptURL', (text: string) => string | null>>,
      ): unknown
    }
  }
}

/**
 * Creates the trusted types policy of the console. The name `default` applies it to every text that a library sets as HTML or
 * as the address of a script. Mantine sets style sheets and micromark character references as HTML: text without `<` creates no
 * element and is accepted, any other HTML is refused. The tour player is the only script that the console adds.
 */
export function createTrustedTypesPolicy(): void {
  window.trustedTypes?.createPolicy('default', {
    createHTML: (text) => (text.includes('<') ? null : text),
    createScriptURL: (address) => (address === playerAddress ? address : null),
  })
}
