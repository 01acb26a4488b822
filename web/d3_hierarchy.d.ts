// What the tree of a story needs of d3-hierarchy, which brings no types along.
declare module "d3-hierarchy" {
  export interface HierarchyNode<T> {
    data: T;
    depth: number;
    height: number;
    parent: HierarchyNode<T> | null;
    children?: HierarchyNode<T>[];
    x: number;
    y: number;
    descendants(): HierarchyNode<T>[];
  }
  export interface TreeLayout<T> {
    (root: HierarchyNode<T>): HierarchyNode<T>;
    nodeSize(size: [number, number]): TreeLayout<T>;
    separation(apart: (a: HierarchyNode<T>, b: HierarchyNode<T>) => number): TreeLayout<T>;
  }
  export function hierarchy<T>(root: T, children: (data: T) => T[]): HierarchyNode<T>;
  export function tree<T>(): TreeLayout<T>;
}
