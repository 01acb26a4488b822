// Styles that a page imports; the build makes a file of them.
declare module "*.css";
