import type { AriaLabelConfig } from '@xyflow/react'

/** What the canvas tells who cannot see it. */
export const canvasWords: Partial<AriaLabelConfig> = {
  'node.a11yDescription.default':
    'Space selects the step, Enter opens its form. The arrow keys move it when it is selected, with Shift further. Delete removes it.',
  'node.a11yDescription.keyboardDisabled':
    'Space selects the step, Enter opens its form. The arrow keys move it when it is selected, with Shift further. Delete removes it.',
  'node.a11yDescription.ariaLiveMessage': ({ direction }) => `Moved ${direction}.`,
  'edge.a11yDescription.default': 'Space selects the line, Delete removes it.',
  'controls.ariaLabel': 'View',
  'controls.zoomIn.ariaLabel': 'Zoom in',
  'controls.zoomOut.ariaLabel': 'Zoom out',
  'controls.fitView.ariaLabel': 'Show the whole flow',
  'minimap.ariaLabel': 'Small map of the flow',
}
