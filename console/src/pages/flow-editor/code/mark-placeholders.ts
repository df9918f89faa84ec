import type { Extension } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  MatchDecorator,
  type PluginValue,
  ViewPlugin,
} from '@codemirror/view'

const decorator = new MatchDecorator({
  // Braces inside are no path, so the search never looks back.
  regexp: /\{\{[^{}]*\}\}/g,
  decoration: Decoration.mark({ class: 'cm-filled' }),
})

interface Marked extends PluginValue {
  marks: DecorationSet
}

/** Makes `{{path}}` stand out from the text around it. */
export const markPlaceholders: Extension = [
  ViewPlugin.define<Marked>(
    (view) => ({
      marks: decorator.createDeco(view),
      update(update) {
        this.marks = decorator.updateDeco(update, this.marks)
      },
    }),
    { decorations: ({ marks }) => marks },
  ),
  EditorView.theme({
    '.cm-filled': { color: 'var(--accent)', fontWeight: 'var(--weight-strong)' },
  }),
]
