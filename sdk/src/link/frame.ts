import type { LinkRun } from './address.ts'
import type { LinkView } from './outcome.ts'

/** Shows the link pages in a frame: in the container, or in a dialog over the page. */
export function openFrame(address: URL, { container, labels = {} }: LinkRun, leave: () => void): LinkView {
  const { dialog: title = 'Link your account', close = 'Close' } = labels
  const frame = frameOf(address, title)
  const outer = container ? frame : dialogWith(frame, { title, close }, leave)
  ;(container ?? document.body).append(outer)
  if (outer instanceof HTMLDialogElement) outer.showModal()
  return {
    source: () => frame.contentWindow,
    close() {
      // Closing the dialog returns the focus to the element that had it before. Removing it alone does not.
      if (outer instanceof HTMLDialogElement) outer.close()
      outer.remove()
    },
  }
}

function frameOf(address: URL, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.src = address.href
  frame.title = title
  frame.referrerPolicy = 'origin'
  Object.assign(frame.style, { display: 'block', border: '0', width: '100%', height: '100%' })
  return frame
}

/**
 * Creates a modal dialog. The browser keeps the focus in the dialog and makes the page behind it inert. Escape leaves
 * the link flow, like the close button.
 */
function dialogWith(
  frame: HTMLIFrameElement,
  { title, close }: { title: string; close: string },
  leave: () => void,
): HTMLDialogElement {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', title)
  Object.assign(dialog.style, {
    boxSizing: 'border-box',
    width: 'min(30rem, 100vw)',
    height: 'min(46rem, 100dvh)',
    maxWidth: '100vw',
    maxHeight: '100dvh',
    padding: '0',
    border: '0',
    borderRadius: '12px',
    overflow: 'hidden',
  })
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    leave()
  })
  dialog.append(closeButton(close, leave), frame)
  return dialog
}

function closeButton(label: string, leave: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.setAttribute('aria-label', label)
  button.textContent = '✕'
  Object.assign(button.style, {
    position: 'absolute',
    insetBlockStart: '4px',
    insetInlineEnd: '4px',
    width: '44px',
    height: '44px',
    border: '0',
    borderRadius: '22px',
    background: 'Canvas',
    color: 'CanvasText',
    font: '16px system-ui, sans-serif',
    cursor: 'pointer',
  })
  button.addEventListener('click', leave)
  return button
}
