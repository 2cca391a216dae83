/** Which methods each path has, to tell a wrong method (405) from a wrong path (404). */
export class RouteTable {
  private readonly routes: { readonly segments: readonly string[]; readonly method: string }[] = [];

  /** @param pattern as registered: `/v1/endpoints/:id` */
  add(method: string | readonly string[], pattern: string): void {
    for (const name of [method].flat()) this.routes.push({ segments: pattern.split('/'), method: name });
  }

  /** The methods that a request path takes, in alphabetical order; none where nothing is there. */
  methodsAt(path: string): string[] {
    const sought = path.split('/');
    const methods = this.routes
      .filter(({ segments }) => matches(segments, sought))
      .map(({ method }) => method);
    return [...new Set(methods)].sort();
  }
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((segment, at) => (segment.startsWith(':') ? path[at] !== '' : segment === path[at]))
  );
}
