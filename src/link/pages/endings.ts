import type { Frame, View } from '../view.ts'
import { html, type Html, type Part, webAddress } from './html.ts'
import { icon } from './icons.ts'
import { document, type Scene, sceneOf } from './layout.ts'

type Ending<Step> = Extract<View, { step: Step }>

export function done({ provider, isAgain, publicToken, backTo }: Ending<'done'>, frame: Frame): string {
  const scene = sceneOf(frame, provider)
  const { texts, names } = scene
  const { stop } = texts.promise
  const title = isAgain ? texts.done.titleAgain : texts.done.title
  const text = isAgain ? texts.done.textAgain : texts.done.text
  return document(scene, {
    title,
    shows: 'done',
    step: 'done',
    provider,
    facts: { message: 'SUCCESS', token: publicToken },
    body: html`<span class="stamp">${icon('choice')}</span>
      <h1>${title}</h1>
      <p class="lede" role="status">${text(names)}</p>
      ${onward(scene, backTo, texts.done.onward(names)) ?? html`<p>${texts.done.mayClose}</p>`}
      ${closeButton(scene, 'CLOSE')}
      <p class="sealed">${icon('stop')}<span>${stop.name}. ${stop.text(names)}</span></p>`,
  })
}

export function cancelled({ backTo }: Ending<'cancelled'>, frame: Frame): string {
  const scene = sceneOf(frame)
  const { title, text, onward: name } = scene.texts.cancelled
  return document(scene, {
    title,
    shows: 'cancelled',
    facts: { message: 'EXIT' },
    body: ending(
      'stop',
      title,
      html`<p class="lede">${text(scene.names)}</p>
        ${onward(scene, backTo, name(scene.names))}`,
    ),
  })
}

export function requested({ backTo }: Ending<'requested'>, frame: Frame): string {
  const scene = sceneOf(frame)
  const { title, text, onward: name } = scene.texts.requested
  return document(scene, {
    title,
    shows: 'requested',
    body: ending(
      'choice',
      title,
      html`<p class="lede" role="status">${text(scene.names)}</p>
        ${onward(scene, backTo, name(scene.names))} ${closeButton(scene, 'EXIT')}`,
    ),
  })
}

export function refused({ why, parameter }: Ending<'refused'>, frame: Frame): string {
  const scene = sceneOf(frame)
  const { title, text } = scene.texts.refusals[why]
  return document(scene, {
    title,
    shows: 'refused',
    isError: true,
    body: ending(
      'alert',
      title,
      html`<p class="lede">${text(scene.names)}</p>
        ${parameter && html`<p class="parameter">${scene.texts.parameter} <code>${parameter}</code></p>`}
        ${closeButton(scene, 'EXIT')}`,
    ),
  })
}

export function returned(_: Ending<'return'>, frame: Frame): string {
  const scene = sceneOf(frame)
  const { title, text } = scene.texts.returned
  return document(scene, {
    title,
    shows: 'return',
    body: ending('choice', title, html`<p class="lede">${text(scene.names)}</p>`),
  })
}

const ending = (drawing: Parameters<typeof icon>[0], title: string, content: Part): Html =>
  html`<div class="ending ending-${drawing}">
    ${icon(drawing)}
    <h1>${title}</h1>
    ${content}
  </div>`

/** In a frame the link leaves it: it is for those without a script, whom no message takes back. */
function onward({ frame }: Scene, backTo: string | null, name: string): Html | null {
  const address = webAddress(backTo)
  return address === null
    ? null
    : html`<p><a class="primary" href="${address}" ${frame.isFramed && html` target="_top"`}>${name}</a></p>`
}

/** Only a script can close a frame: it shows the button where there is one. */
const closeButton = ({ texts }: Scene, message: string): Html =>
  html`<button type="button" class="secondary wide" data-close="${message}" hidden>${texts.close}</button>`
