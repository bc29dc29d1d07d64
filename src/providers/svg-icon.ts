/** SVG icon as a data URI, so that no server has to serve it. */
export const svgIcon = (background: string, drawing: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="10" fill="${background}"/>${drawing}</svg>`,
  )}`
