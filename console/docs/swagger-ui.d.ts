/** Swagger UI is published without types. These are the parts that this page uses. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** An Immutable.js collection. */
  export interface Collection {
    get(key: string): unknown;
    getIn(keys: readonly string[]): unknown;
    set(key: string, value: unknown): Collection;
    map(each: (value: Collection, key: string) => Collection): Collection;
    filter(keeps: (value: Collection) => boolean): Collection;
    readonly size: number;
    toJS(): unknown;
  }

  /** A React element; the bundle contains its own React. */
  export interface Element {
    readonly type: unknown;
  }
  export type Component<Props> = (props: Props) => Element | null;
  export interface System {
    readonly React: {
      createElement(type: unknown, props: object | null, ...children: (Element | string)[]): Element;
      readonly Fragment: unknown;
    };
  }

  export interface Ui {
    readonly specSelectors: { specJson(): Pick<Collection, 'toJS'> };
    readonly layoutActions: {
      /** Opens what the hash of an address names, and scrolls to it. */
      parseDeepLinkHash(hash: string): void;
      updateFilter(phrase: string): void;
    };
  }

  export default function SwaggerUI(options: { readonly [option: string]: unknown }): Ui;
}
