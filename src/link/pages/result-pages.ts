import type { Frame, View } from '../view.ts'
import { html, type Html, type Part, webAddress } from './html.ts'
import { icon } from './icons.ts'
import { renderDocument } from './layout.ts'
import { type PageContext, pageContextOf } from './page-context.ts'

type ResultPage<Step> = Extract<View, { step: Step }>

export function done({ provider, isAgain, publicToken, backTo }: ResultPage<'done'>, frame: Frame): string {
  const scene = pageContextOf(frame, provider)
  const { texts, names } = scene
  const { stop } = texts.promise
  const title = isAgain ? texts.done.titleAgain : texts.done.title
  const text = isAgain ? texts.done.textAgain : texts.done.text
  return renderDocument(scene, {
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

export function cancelled({ backTo }: ResultPage<'cancelled'>, frame: Frame): string {
  const scene = pageContextOf(frame)
  const { title, text, onward: name } = scene.texts.cancelled
  return renderDocument(scene, {
    title,
    shows: 'cancelled',
    facts: { message: 'EXIT' },
    body: resultPage(
      'stop',
      title,
      html`<p class="lede">${text(scene.names)}</p>
        ${onward(scene, backTo, name(scene.names))}`,
    ),
  })
}

export function requested({ backTo }: ResultPage<'requested'>, frame: Frame): string {
  const scene = pageContextOf(frame)
  const { title, text, onward: name } = scene.texts.requested
  return renderDocument(scene, {
    title,
    shows: 'requested',
    body: resultPage(
      'choice',
      title,
      html`<p class="lede" role="status">${text(scene.names)}</p>
        ${onward(scene, backTo, name(scene.names))} ${closeButton(scene, 'EXIT')}`,
    ),
  })
}

export function refused({ why, parameter }: ResultPage<'refused'>, frame: Frame): string {
  const scene = pageContextOf(frame)
  const { title, text } = scene.texts.refusals[why]
  return renderDocument(scene, {
    title,
    shows: 'refused',
    isError: true,
    body: resultPage(
      'alert',
      title,
      html`<p class="lede">${text(scene.names)}</p>
        ${parameter && html`<p class="parameter">${scene.texts.parameter} <code>${parameter}</code></p>`}
        ${closeButton(scene, 'EXIT')}`,
    ),
  })
}

export function returned(_: ResultPage<'return'>, frame: Frame): string {
  const scene = pageContextOf(frame)
  const { title, text } = scene.texts.returned
  return renderDocument(scene, {
    title,
    shows: 'return',
    body: resultPage('choice', title, html`<p class="lede">${text(scene.names)}</p>`),
  })
}

const resultPage = (drawing: Parameters<typeof icon>[0], title: string, content: Part): Html =>
  html`<div class="ending ending-${drawing}">
    ${icon(drawing)}
    <h1>${title}</h1>
    ${content}
  </div>`

/** In a frame the link leaves it: it is for those without a script, whom no message takes back. */
function onward({ frame }: PageContext, backTo: string | null, name: string): Html | null {
  const address = webAddress(backTo)
  return address === null
    ? null
    : html`<p><a class="primary" href="${address}" ${frame.isFramed && html` target="_top"`}>${name}</a></p>`
}

/** Only a script can close a frame: it shows the button where there is one. */
const closeButton = ({ texts }: PageContext, message: string): Html =>
  html`<button type="button" class="secondary wide" data-close="${message}" hidden>${texts.close}</button>`
