import { useLocalStorage } from '@mantine/hooks'
import { pathOfRoute } from '../../../../../../src/tours/player/match-route.ts'
import { pages } from '../../../../shell/pages.ts'
import { type FrameAddress, readFrameAddress } from './frame-address.ts'

interface PageAddress {
  readonly text: string
  readonly address: FrameAddress
  readonly open: (text: string) => void
}

/** The page to show for a tour: the last one shown, or the first of its routes that is a page of the console. */
export function usePageAddress(tour: string, routes: readonly string[]): PageAddress {
  const first = routes.map(pathOfRoute).find((path) => pages.some((it) => it.path === path)) ?? '/'
  const [text, setText] = useLocalStorage({
    key: `tutti-tour-page-${tour}`,
    defaultValue: first,
    getInitialValueInEffect: false,
  })
  return { text, address: readFrameAddress(text, window.location), open: setText }
}
