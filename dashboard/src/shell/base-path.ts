/** Path of the public URL of the service: empty, or one such as `/telematics`. */
export const basePath: string = document.querySelector<HTMLElement>('#dashboard')?.dataset['base'] ?? ''
