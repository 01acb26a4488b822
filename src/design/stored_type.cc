#include "design/stored_type.h"

#include "base/check.h"

namespace trestle::design {

value::Type StoredType(const ValueType& type) {
  using value::Type;
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kNumber:
      return Type::kN;
    case TypeKind::kBool:
      return Type::kBool;
    case TypeKind::kBinary:
      return Type::kB;
    case TypeKind::kList:
      return Type::kL;
    case TypeKind::kMap:
    case TypeKind::kAny:
      return Type::kM;
    case TypeKind::kSet: {
      const Type element = StoredType(type.element.front());
      return element == Type::kN ? Type::kNs : element == Type::kB ? Type::kBs : Type::kSs;
    }
    case TypeKind::kTimestamp:
      return type.is_epoch_seconds ? Type::kN : Type::kS;
    case TypeKind::kString:
    case TypeKind::kId:
    case TypeKind::kEmail:
    case TypeKind::kUrl:
    case TypeKind::kDate:
    case TypeKind::kMoment:
    case TypeKind::kEnum:
      return Type::kS;
  }
  UNREACHABLE("a type without its values");
}

}  // namespace trestle::design
