import { Component, createElement, type FunctionComponent, type ReactNode, use } from 'react'
import { type Connection, useConnection } from './connection.ts'
import { ChunkFailure, loadChunk } from './load-chunk.ts'

/** A part without parameters has no properties. */
type PropsOf<Part extends (props: never) => ReactNode> = Parameters<Part>[0] extends object
  ? Parameters<Part>[0]
  : object

/**
 * A part of a page whose code is loaded when it is first rendered, such as a drawer; it suspends until then. A part that
 * cannot be loaded shows nothing, and the connection banner offers the reload: the page around it may hold input.
 */
export function lazyPart<Part extends (props: never) => ReactNode>(
  importer: () => Promise<{ default: Part }>,
): FunctionComponent<PropsOf<Part>> {
  type Loaded = FunctionComponent<PropsOf<Part>>
  let loaded: Loaded | undefined
  let loading: Promise<Loaded> | undefined

  async function load(connection: Connection): Promise<Loaded> {
    const { default: part } = await loadChunk(importer, connection)
    loaded = part as Loaded
    return loaded
  }

  function LoadingPart(props: PropsOf<Part>) {
    const connection = useConnection()
    // The promise is kept outside of the component, because React renders a suspended component again from the start.
    if (loaded === undefined) loading ??= load(connection)
    const Content = loaded ?? (loading === undefined ? undefined : use(loading))
    return Content === undefined ? null : createElement(Content, props)
  }

  return function LazyPart(props) {
    return (
      <PartBoundary>
        <LoadingPart {...props} />
      </PartBoundary>
    )
  }
}

/** Hides a part that cannot be loaded; other errors go to the page. */
class PartBoundary extends Component<{ readonly children: ReactNode }, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {}
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (error instanceof ChunkFailure) return null
    throw error
  }
}
