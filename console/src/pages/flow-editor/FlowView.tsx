import { memo, Suspense } from 'react'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import type { EditorView } from './editor-search.ts'
import { ScopePath } from './ScopePath.tsx'

const Canvas = lazyPart(() => import('./canvas/Canvas.tsx').then(({ Canvas: it }) => ({ default: it })))
const StepList = lazyPart(() => import('./list/StepList.tsx').then(({ StepList: it }) => ({ default: it })))
const CodeView = lazyPart(() => import('./code/CodeView.tsx').then(({ CodeView: it }) => ({ default: it })))

/** The flow as canvas, list or code. It reads the document itself, so other changes of the editor do not render it. */
export const FlowView = memo(function FlowView({ view }: { readonly view: EditorView }) {
  return (
    <>
      {view === 'code' ? null : <ScopePath />}
      <Suspense>{view === 'canvas' ? <Canvas /> : view === 'list' ? <StepList /> : <CodeView />}</Suspense>
    </>
  )
})
