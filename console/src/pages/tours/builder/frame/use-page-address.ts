import { useLocalStorage } from '@mantine/hooks'
import { pathOfRoute } from '../../../../../../src/tours/player/match-route.ts'
import { pages } from '../../../../shell/pages.ts'
import type { LoadedTour } from '../document/tour-calls.ts'
import { type FrameAddress, readFrameAddress } from './frame-address.ts'

interface PageAddress {
  readonly text: string
  readonly address: FrameAddress
  readonly site: LoadedTour['site']
  readonly open: (text: string) => void
}

type Addressed = Pick<LoadedTour, 'id' | 'routes' | 'site' | 'page_url'>

/**
 * The page to show for a tour: the last one shown; or its first page on its site; or, for a site without an address, the
 * first of its routes that is a page of the console.
 */
export function usePageAddress({ id, routes, site, page_url }: Addressed): PageAddress {
  const paths = routes.map(({ route_name }) => pathOfRoute(route_name))
  const own = paths.find((path) => pages.some((it) => it.path === path)) ?? '/'
  const [text, setText] = useLocalStorage({
    key: `tutti-tour-page-${id}`,
    defaultValue: page_url ?? own,
    getInitialValueInEffect: false,
  })
  return { text, address: readFrameAddress(text, window.location), site, open: setText }
}
