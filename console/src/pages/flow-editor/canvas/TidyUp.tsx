import { Button } from '@mantine/core'
import IconLayoutDistributeVertical from '@tabler/icons-react/dist/esm/icons/IconLayoutDistributeVertical.mjs'
import { useReactFlow } from '@xyflow/react'
import { placesIn, withPlaces } from '../document/flow-document.ts'
import { useEditing } from '../use-flow-editor.ts'
import type { StepNodeType } from './draw-nodes.ts'
import { fittingOf } from './fitting.ts'
import { glideMs } from './use-revealing.ts'

/** Forgets where steps were put: all of them are laid out again. */
export function TidyUp() {
  const { editor, state, announce } = useEditing()
  const { fitView } = useReactFlow<StepNodeType>()
  const isTidy = placesIn(state.document).size === 0
  return (
    <Button
      variant="default"
      size="compact-xs"
      leftSection={<IconLayoutDistributeVertical size={14} aria-hidden />}
      aria-disabled={isTidy}
      title={isTidy ? 'Every step stands where the layout puts it' : 'Lay out every step again'}
      onClick={() => {
        if (isTidy) return
        editor.change({ what: 'tidying up' }, (document) => withPlaces(document, new Map()))
        announce('Tidied up. Undo puts every step back.')
        void fitView({ ...fittingOf(state.document.definition.steps), duration: glideMs() })
      }}
    >
      Tidy up
    </Button>
  )
}
